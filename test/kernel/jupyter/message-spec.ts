import { z } from "zod";
import type { JsonObject } from "../../../src/support/json/value.ts";

/** A message as a trace shows it. */
export interface TracedMessage {
  readonly direction: "send" | "receive";
  readonly channel: string;
  readonly type: string;
  readonly id: string;
  readonly parent: string | null;
  readonly content: JsonObject;
}

export function tracedMessage(direction: "send" | "receive", channel: string, text: string): TracedMessage {
  const { msg_type, msg_id, parent = null, content } = JSON.parse(text);
  return { direction, channel, type: msg_type, id: msg_id, parent, content };
}

/**
 * Problems of a message by the specification of Jupyter's messages, version 5.4, which is the one that we declare to
 * speak; null without problems. Messages that we send may have no other fields; messages that we receive may.
 */
export function whatIsWrongWith({ direction, channel, type, content }: TracedMessage): string | null {
  const spec = direction === "send" ? sent[`${channel} ${type}`] : received[`${channel} ${type}`];
  if (spec === undefined) return `${direction} ${type} on ${channel}: the specification does not know it there`;
  const { success, error } = spec.safeParse(content);
  return success ? null : `${direction} ${type} on ${channel}: ${z.prettifyError(error)}`;
}

const text = z.string();
const count = z.int().nonnegative();
const dictionary = z.record(z.string(), z.unknown());
const exactly = z.strictObject;
const atLeast = z.looseObject;

// A question whether there was an interrupt, which `house-rules.ts` has the kernel look for; others need not know it.
const kernelInfoRequest = exactly({ wake: z.number().optional() });
const comm = { comm_id: text, data: dictionary };

const sent: Readonly<Record<string, z.ZodType>> = {
  "shell execute_request": exactly({
    code: text,
    silent: z.boolean(),
    store_history: z.boolean(),
    user_expressions: dictionary,
    allow_stdin: z.boolean(),
    stop_on_error: z.boolean(),
  }),
  "shell complete_request": exactly({ code: text, cursor_pos: count }),
  "shell inspect_request": exactly({ code: text, cursor_pos: count, detail_level: z.literal([0, 1]) }),
  "shell is_complete_request": exactly({ code: text }),
  "shell kernel_info_request": kernelInfoRequest,
  "control kernel_info_request": kernelInfoRequest,
  "shell comm_open": exactly({ ...comm, target_name: text }),
  "shell comm_msg": exactly(comm),
  "shell comm_close": exactly(comm),
  "shell comm_info_request": exactly({ target_name: text.optional() }),
  "shell history_request": exactly({
    output: z.boolean(),
    raw: z.boolean(),
    hist_access_type: z.enum(["range", "tail", "search"]),
    session: z.int().optional(),
    start: z.int().optional(),
    stop: z.int().optional(),
    n: z.int().optional(),
    pattern: text.optional(),
    unique: z.boolean().optional(),
  }),
  "control interrupt_request": exactly({}),
  "control shutdown_request": exactly({ restart: z.boolean() }),
  // Replies have a status since version 5.0.
  "stdin input_reply": exactly({ value: text, status: z.literal("ok") }),
};

const ok = { status: z.literal("ok") };
const exception = { ename: text, evalue: text, traceback: z.array(text) };
const error = atLeast({ status: z.literal("error"), ...exception });
const bundle = { data: dictionary, metadata: dictionary };
const transient = atLeast({ display_id: text.optional() });

const kernelInfoReply = atLeast({
  ...ok,
  protocol_version: text,
  implementation: text,
  implementation_version: text,
  language_info: atLeast({ name: text, version: text, mimetype: text, file_extension: text }),
  banner: text,
  help_links: z.array(atLeast({ text, url: text })).optional(),
});
const status = atLeast({ execution_state: z.enum(["busy", "idle", "starting", "restarting"]) });
const shutdownReply = atLeast({ restart: z.boolean() });

const received: Readonly<Record<string, z.ZodType>> = {
  "shell execute_reply": z.union([
    atLeast({ ...ok, execution_count: count, user_expressions: dictionary, payload: z.array(dictionary).optional() }),
    error,
    atLeast({ status: z.literal("aborted") }),
  ]),
  "shell complete_reply": z.union([
    atLeast({ ...ok, matches: z.array(text), cursor_start: count, cursor_end: count, metadata: dictionary }),
    error,
  ]),
  "shell inspect_reply": z.union([atLeast({ ...ok, found: z.boolean(), ...bundle }), error]),
  "shell is_complete_reply": atLeast({
    status: z.enum(["complete", "incomplete", "invalid", "unknown"]),
    indent: text.optional(),
  }),
  "shell comm_info_reply": atLeast({ ...ok, comms: z.record(z.string(), atLeast({ target_name: text })) }),
  "shell history_reply": atLeast({
    ...ok,
    history: z.array(z.tuple([z.int(), z.int(), z.union([text, z.tuple([text, z.unknown()])])])),
  }),
  "shell kernel_info_reply": kernelInfoReply,
  "control kernel_info_reply": kernelInfoReply,
  "control interrupt_reply": atLeast(ok),
  "control shutdown_reply": shutdownReply,
  "stdin input_request": atLeast({ prompt: text, password: z.boolean() }),
  "iopub status": status,
  "iopub stream": atLeast({ name: z.enum(["stdout", "stderr"]), text }),
  "iopub display_data": atLeast({ ...bundle, transient: transient.optional() }),
  "iopub update_display_data": atLeast({ ...bundle, transient: atLeast({ display_id: text }) }),
  "iopub execute_input": atLeast({ code: text, execution_count: count }),
  "iopub execute_result": atLeast({ ...bundle, execution_count: count, transient: transient.optional() }),
  "iopub error": atLeast(exception),
  "iopub clear_output": atLeast({ wait: z.boolean() }),
  "iopub comm_open": atLeast({ ...comm, target_name: text }),
  "iopub comm_msg": atLeast(comm),
  "iopub comm_close": atLeast(comm),
  "iopub shutdown_reply": shutdownReply,
  "iopub iopub_welcome": atLeast({ subscription: text }),
};
