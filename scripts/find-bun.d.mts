/** For what is TypeScript; plain Node runs the rest. */
export const BUN_VERSION: string;
