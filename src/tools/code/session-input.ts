import { z } from "zod";

/** Every tool that uses a kernel takes it. */
export const sessionInput = z.string().min(1, "expected a name").describe("another namespace");

/** Of tools that run something in it. */
export const queueInput = z.boolean().describe("wait while the session is busy");
