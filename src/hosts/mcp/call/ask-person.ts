import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { PendingQuestion } from "./ongoing-call.ts";
import { answerTimeoutMs } from "./waiting-calls.ts";

const key = "answer";

/** In the older revision: asks the client, which asks a person, while the call continues. */
export async function askBeside(question: PendingQuestion, { mcpReq }: ServerContext): Promise<void> {
  const { method, params } = formFor(question);
  try {
    const answer = await mcpReq.send(
      { method, params: { ...params } },
      { signal: question.over, timeout: answerTimeoutMs },
    );
    takeAnswer(question, { [key]: answer });
  } catch (error) {
    if (question.over.aborted || mcpReq.signal.aborted) return;
    question.refuse(`The code asked for input, but asking failed: ${(error as Error).message}`);
  }
}

/** In the newer revision: the client asks a person and repeats the request with the answer and the ticket. */
export function askWithResult(question: PendingQuestion, ticket: string): InputRequiredResult {
  return inputRequired({ requestState: ticket, inputRequests: { [key]: formFor(question) } });
}

export function takeAnswer(question: PendingQuestion, responses: Readonly<Record<string, unknown>> | undefined): void {
  const response = inputResponse(responses, key);
  if (response.kind !== "elicit" || response.action !== "accept") {
    question.refuse("The code asked for input, and the person declined to answer.");
    return;
  }
  const text = response.content?.[key];
  question.answer(typeof text === "string" ? text : "");
}

function formFor({ prompt }: PendingQuestion) {
  const text = prompt.trim();
  const asks = text === "" ? "asks for a line of input." : `asks: ${text}`;
  return inputRequired.elicit({
    mode: "form",
    message: `The Python code that runs ${asks}`,
    // Not required, because an empty line is an answer.
    requestedSchema: { type: "object", properties: { [key]: { type: "string", title: text || "Input" } } },
  });
}
