/** `granary/python`: which Python would run the code, and what it would see of the environment. */
export { type KernelEnvironmentOptions, kernelEnvironment } from "./python/environment/kernel-environment.ts";
export { type FindInterpreterOptions, findInterpreter } from "./python/find/find-interpreter.ts";
export { type Survey, type SurveyedCandidate, surveyInterpreters } from "./python/find/survey-interpreters.ts";
export type { Interpreter, InterpreterSource, PythonFacts, RejectedCandidate } from "./python/interpreter.ts";
