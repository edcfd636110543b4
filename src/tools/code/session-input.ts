import { z } from "zod";

/** The input field of every tool that uses a kernel; `python` describes it. */
export const sessionInput = z.string().min(1, "expected a name");
