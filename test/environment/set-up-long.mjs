// Run once before the long tests: they need an environment more.
import { prepareAll } from "./set-up.mjs";

export default async function setUp() {
  await prepareAll({ enterprise: true });
}
