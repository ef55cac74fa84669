/**
 * Some servers answer a lower limit with 400 if the request has tools, so they are sent this one. Wherever there are
 * tools, it is held for, and the output it allows is delivered and charged.
 */
export const LEAST_TOKENS_BESIDE_TOOLS = 16;
