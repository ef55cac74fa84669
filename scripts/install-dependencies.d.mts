/** For `serve`, which is TypeScript. Throws with a sentence for the user. */
export function installSandbox(): Promise<void>;
