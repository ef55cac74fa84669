/**
 * Every setting, read once at the start: the only reader of the environment and of the file of settings.
 * Owns names, ranges and defaults, and the secret of an installation. Refuses to know what a setting is for; the catalog
 * checks its own sections. Invariants: every wrong setting is found at once and told by its name; a configuration that
 * was read never changes.
 */
export { commandName } from "./command.ts";
export {
  type Config,
  ConfigError,
  childEnvironment,
  DEFAULT_PORT,
  type InspectedConfig,
  inspectConfig,
  loadConfig,
  ownOrigin,
  soundConfig,
  withBoundPort,
} from "./config.ts";
export { isLocalAddress } from "./local-only.ts";
export type { ProviderSettings } from "./providers.ts";
export { ensureSecret, faultOfSecret, findSecret, secretPath } from "./secret.ts";
