import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OngoingCall, type PendingQuestion } from "../../../src/hosts/mcp/call/ongoing-call.ts";
import { answerTimeoutMs, WaitingCalls } from "../../../src/hosts/mcp/call/waiting-calls.ts";
import { say, toolThat } from "./test-agent.ts";

const whole = { canAsk: true };

test("simultaneous questions are asked one after the other", async () => {
  const tool = toolThat("ask", async (_, { answer, signal }) => {
    const ended = signal as AbortSignal;
    const answers = await Promise.all([answer?.("first?", false, ended), answer?.("second?", false, ended)]);
    return say(answers.join(" and "));
  });
  const call = new OngoingCall(tool, {}, whole);
  for (const [prompt, answer] of [
    ["first?", "1"],
    ["second?", "2"],
  ] as const) {
    const { question } = (await call.news()) as { question: PendingQuestion };
    expect(question.prompt).toBe(prompt);
    question.answer(answer);
  }
  expect(await call.news()).toMatchObject({ type: "result", result: { content: [{ text: "1 and 2" }] } });
});

test("a question whose code no longer waits is not asked", async () => {
  const ended = new AbortController();
  const tool = toolThat("ask", async (_, { answer }) => {
    answer?.("too late?", false, ended.signal).catch(() => undefined);
    ended.abort();
    return say("timed out");
  });
  const call = new OngoingCall(tool, {}, whole);
  expect(await call.news()).toMatchObject({ type: "result", result: { content: [{ text: "timed out" }] } });
});

test("an answer that comes after the end finds the result", async () => {
  const ended = new AbortController();
  const tool = toolThat("ask", async (_, { answer }) => {
    const asked = answer?.("quick?", false, ended.signal);
    asked?.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    ended.abort();
    return say("timed out");
  });
  const call = new OngoingCall(tool, {}, whole);
  const { question } = (await call.news()) as { question: PendingQuestion };
  await call.result;
  question.answer("here it is");
  expect(await call.news()).toMatchObject({ type: "result", result: { content: [{ text: "timed out" }] } });
});

describe("calls that wait for an answer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const untilCancelled = toolThat("wait", async (_, { signal }) => {
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    return say("cancelled");
  });
  const question = { prompt: "", over: new AbortController().signal, answer: () => undefined, refuse: () => undefined };

  test("have a ticket that is valid once", () => {
    const waiting = new WaitingCalls();
    const call = new OngoingCall(untilCancelled, {}, whole);
    const ticket = waiting.park(call, question);
    expect(waiting.take(ticket)?.call).toBe(call);
    expect(waiting.take(ticket)).toBeUndefined();
    call.cancel();
  });

  test("are cancelled when no answer comes for long, or none can come", async () => {
    const waiting = new WaitingCalls();
    const forgotten = new OngoingCall(untilCancelled, {}, whole);
    const abandoned = new OngoingCall(untilCancelled, {}, whole);
    const ticket = waiting.park(forgotten, question);
    await vi.advanceTimersByTimeAsync(answerTimeoutMs);
    expect(await forgotten.result).toMatchObject({ content: [{ text: "cancelled" }] });
    expect(waiting.take(ticket)).toBeUndefined();
    waiting.park(abandoned, question);
    waiting.cancelAll();
    expect(await abandoned.result).toMatchObject({ content: [{ text: "cancelled" }] });
  });
});
