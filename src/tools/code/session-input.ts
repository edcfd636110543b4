import { z } from "zod";

/** The input field of every tool that uses a kernel. */
export const sessionInput = z.string().min(1, "expected a name").describe("another namespace");
