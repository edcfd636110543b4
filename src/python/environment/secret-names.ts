/**
 * Whether a variable's name marks its value as a secret. Each word of the name counts by itself, so
 * `XDG_SESSION_TYPE` and `TOKENIZERS_PARALLELISM` are no secrets, but `PI_ACCESSTOKEN` and `DB_PASSWORD_2` are. A wrong
 * guess withholds a harmless variable; its exact name in `python.allowEnv` restores it.
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

/** Whether a value contains an address with a login, such as that of a private package index or a Jupyter server. */
export function holdsLogin(value: string): boolean {
  const addresses = value.match(/:\/\/\S+/g) ?? [];
  return addresses.some(
    (address) => userPart.test(address) || condaToken.test(address) || parametersOf(address).some(isSecretParameter),
  );
}

const userPart = /:\/\/[^/?#@]+@/;
// As in https://conda.example/t/TOKEN/channel. A number after `/t/` is a topic of a forum.
const condaToken = /:\/\/[^/?#]+\/(?:[^?#]*\/)?t\/(?![^/?#]+\/\d+(?:[/?#]|$))[^/?#]/;

/** The names in `?name=value&name=value`, after a `#`, and between the `;` of a database's address. */
function parametersOf(address: string): readonly string[] {
  return [...address.matchAll(/[?&#;]([^?&#;=]+)=/g)].map(([, name = ""]) => name);
}

/** A signed address grants access to its bearer: `?sig=`, `?X-Amz-Signature=`. */
function isSecretParameter(name: string): boolean {
  return looksSecret(name) || /(^|[^a-z])sig$|signature$/i.test(name);
}
