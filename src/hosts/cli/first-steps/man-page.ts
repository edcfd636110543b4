import { type HelpPage, helpPages } from "./help-pages.ts";

/** `granary(1)`, from the help of all commands. The build writes it to `dist/man`. */
export async function manPage(version: string): Promise<string> {
  const pages = await helpPages();
  return `.TH GRANARY 1 "" "granary ${version}" "User Commands"
.SH NAME
granary \\- run Python for coding agents
.SH SYNOPSIS
.B granary
[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]
.br
.B granary
\\fIFILE\\fR [\\fIARGUMENTS\\fR]
.SH DESCRIPTION
Granary runs Python for coding agents. A Python process stays alive between calls and keeps its variables.
Without a command, granary opens the console on a terminal, and otherwise runs the code on standard input.
.SH COMMANDS
${pages.map(commandOf).join("")}.SH FILES
.TP
.I ~/.granary
Settings, pictures, artifacts, and the hub; the variable GRANARY_HOME names another folder.
.SH EXIT STATUS
0 success, 1 a cell failed, 2 wrong usage, 3 Granary failed, 124 timed out, 130 cancelled.
`;
}

function commandOf({ words, text }: HelpPage): string {
  return `.SS granary ${words.join(" ")}\n.nf\n${text.trimEnd().split("\n").map(asRoff).join("\n")}\n.fi\n`;
}

/** A line as it is: a dot or an apostrophe at its beginning would be a request. */
function asRoff(line: string): string {
  const text = line.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(text) ? `\\&${text}` : text;
}
