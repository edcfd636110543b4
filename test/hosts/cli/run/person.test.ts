import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { CommandContext } from "../../../../src/hosts/cli/command/command-context.ts";
import { StopRequest } from "../../../../src/hosts/cli/command/stop-request.ts";
import { Person } from "../../../../src/hosts/cli/run/person.ts";
import { answeredElsewhere } from "../../../../src/kernel/kernel.ts";

test("a question that another client answered says so before the cell's next output", async () => {
  const stdout = new PassThrough();
  const context = {
    ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough() },
    isTerminal: () => true,
    onSignal: () => () => {},
  } as Partial<CommandContext> as CommandContext;
  using stop = new StopRequest(context);
  const question = new AbortController();
  const answer = new Person(context, stop).answer("Name? ", false, question.signal);
  question.abort(answeredElsewhere);
  stdout.write("hello Ada\n");
  await answer;
  expect(stdout.read().toString()).toBe(`Name? ${answeredElsewhere}\nhello Ada\n`);
});
