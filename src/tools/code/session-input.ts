import { z } from "zod";

/** Every tool that uses a kernel takes it. */
export const sessionInput = z.string().min(1, "expected a name").describe("another namespace");
