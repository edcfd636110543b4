// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences begin with one
const controlSequence = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** Text without the control sequences in it. Node's own function takes minutes for some texts of 100 kB. */
export const withoutControlSequences = (text: string): string => text.replace(controlSequence, "");
