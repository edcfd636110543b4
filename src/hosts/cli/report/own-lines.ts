/** Text on lines of its own, wherever the text before it has stopped. */
export function onOwnLines(text: string, { afterOpenLine }: { readonly afterOpenLine: boolean }): string {
  if (text === "") return "";
  return `${afterOpenLine ? "\n" : ""}${text}${text.endsWith("\n") ? "" : "\n"}`;
}
