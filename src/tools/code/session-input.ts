import { z } from "zod";

/** Every tool that uses a kernel takes it. */
export const sessionInput = z.string().min(1, "expected a name").describe("another namespace");

/** Whether a call waits its turn in a busy session. Without a description: a call that is refused is told of it. */
export const queueInput = z.boolean();
