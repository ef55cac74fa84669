/**
 * Every setting, read once at the start. This is the only reader of the environment and of the settings file.
 * Owns names, ranges and defaults, and the secret of an installation.
 * Refuses to know what a setting is for; the catalog checks its own sections.
 * Invariants: all wrong settings are found in one pass and reported by name; a configuration never changes once read.
 */
export { commandName } from "./command.ts";
export {
  type Config,
  ConfigError,
  childEnvironment,
  foreignEnvironment,
  type InspectedConfig,
  inspectConfig,
  ownOrigin,
  soundConfig,
  withBoundPort,
} from "./config.ts";
export { isLocalAddress } from "./local-only.ts";
export { hasCredentials, type ProviderSettings } from "./providers.ts";
export { sandboxProgram } from "./sandbox-program.ts";
export { ensureSecret, faultOfSecret, findSecret, secretPath } from "./secret.ts";
