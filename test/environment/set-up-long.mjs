// Run once before the long tests: they need two environments more.
import { prepareAll } from "./set-up.mjs";

export default async function setUp() {
  await prepareAll({ isLong: true });
}
