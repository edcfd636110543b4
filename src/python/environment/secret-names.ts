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
  const addresses = value.match(/:\/\/\S+/g) ?? [];
  return addresses.some(
    (address) => userPart.test(address) || condaToken.test(address) || parametersOf(address).some(isSecretParameter),
  );
}

const userPart = /:\/\/[^/?#@]+@/;
// As in https://conda.example/t/TOKEN/channel. A number after it is that of a topic in a forum.
const condaToken = /:\/\/[^/?#]+\/(?:[^?#]*\/)?t\/(?![^/?#]+\/\d+(?:[/?#]|$))[^/?#]/;

/** The names in `?name=value&name=value`, in what follows a `#`, and between the `;` of a database's address. */
function parametersOf(address: string): readonly string[] {
  return [...address.matchAll(/[?&#;]([^?&#;=]+)=/g)].map(([, name = ""]) => name);
}

/** A signed address opens what it names for everybody who has it: `?sig=`, `?X-Amz-Signature=`. */
function isSecretParameter(name: string): boolean {
  return looksSecret(name) || /(^|[^a-z])sig$|signature$/i.test(name);
}
