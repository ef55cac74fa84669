import OpenAI from "openai";

/** Bundled into the page of `other-origin.test.ts`. */
Object.assign(globalThis, { OpenAI });
