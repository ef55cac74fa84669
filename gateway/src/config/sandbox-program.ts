import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../kit/index.ts";

/** What runs the sandbox: its source in a clone, elsewhere a package of its own, which may have been left out. */
export function sandboxProgram(): string | null {
  const source = join(ROOT, "sandbox", "bin", "bursar-sandbox.ts");
  if (existsSync(source)) return source;
  try {
    return Bun.resolveSync("@bursar/sandbox/program", ROOT);
  } catch {
    return null;
  }
}
