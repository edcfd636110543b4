import { request } from "../connection/request.ts";

/**
 * Ends Python and starts it again, after a question. The running cell is interrupted.
 * @returns a sentence for the reader; null when nothing was done
 */
export async function restartPython(session: string, name: string): Promise<string | null> {
  if (!confirm(`Restart Python of ${name}? Its variables are lost, and a running cell is interrupted.`)) return null;
  const at = `sessions/${encodeURIComponent(session)}`;
  const refused = async (body: { readonly force: boolean }): Promise<string | null> =>
    request("POST", `${at}/reset`, body).then(
      () => null,
      (error: Error) => error.message,
    );
  await request("POST", `${at}/interrupt`, {}).catch(() => {});
  const why = await refused({ force: false });
  // Others use the session, and the sentence names them.
  if (why !== null && !confirm(`${why}\n\nRestart it for all of them?`)) return null;
  const stillWhy = why === null ? null : await refused({ force: true });
  return stillWhy ?? "Python was restarted. The next cell begins without variables.";
}
