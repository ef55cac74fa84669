/**
 * Some servers that take tools answer a lower limit with a 400, so that they are sent this one. It is held for wherever
 * there are tools, and what comes of it is delivered and charged.
 */
export const LEAST_TOKENS_BESIDE_TOOLS = 16;
