/**
 * Whether a variable's name says that its value is a secret. It is judged word by word, so that
 * `XDG_SESSION_TYPE` and `TOKENIZERS_PARALLELISM` are not, but `PI_ACCESSTOKEN` and `DB_PASSWORD_2` are. A wrong
 * guess withholds something harmless, which its exact name in `python.allowEnv` gives back.
 */
export function looksSecret(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z]+/);
  return words.some((word) => secretPart.test(word) || secretEnding.test(word) || secretWords.has(word));
}

const secretPart = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATE/;
const secretEnding = /(TOKEN|KEY|PASS|AUTH|COOKIE)S?$/;
const secretWords = new Set([
  "PWD",
  "PW",
  "CRED",
  "CREDS",
  "PAT",
  "JWT",
  "BEARER",
  "AUTHORIZATION",
  "DSN",
  "OTP",
  "SALT",
]);

/** Whether a value has an address in it that logs somebody in: that of a private package index, or of a Jupyter server. */
export function holdsLogin(value: string): boolean {
  return /:\/\/[^\s/?#@]+@/.test(value) || /:\/\/\S*[?&]\w*(token|key|secret|password|signature)=/i.test(value);
}
