/** For programs that start Bun themselves. */
export function withRuntimeEnv(env: Record<string, string | undefined>): Record<string, string | undefined>;
