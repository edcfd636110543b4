import { z } from "zod";

/** The input field of every tool that uses a kernel; `python` describes it. */
export const sessionInput = z.string().min(1, "expected a name");

/** Whether a call waits its turn in a busy session. Without a description: the error of a refused call names it. */
export const queueInput = z.boolean();
