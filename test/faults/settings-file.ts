import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A configuration file for one test gateway, and the environment that points to it. Written as JSON, which is valid
 * YAML.
 */
export type SettingsFile = { readonly environment: Record<string, string>; remove(): void };

export function writeSettings(settings: object): SettingsFile {
  const folder = mkdtempSync(join(tmpdir(), "bursar-faults-"));
  const path = join(folder, "bursar.yaml");
  writeFileSync(path, JSON.stringify(settings));
  return {
    environment: { BURSAR_CONFIG: path },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
