import type { Provider } from "../contract.ts";
import { answerChat, type TokenEstimator } from "./engine.ts";

/** Needs no key, no network and no settings: with nothing configured Bursar still does its whole job. */
export function createSandboxProvider(estimator: TokenEstimator): Provider {
  return {
    name: "sandbox",
    text: {
      chat: (_upstreamModel, request, context) => answerChat(estimator, request, context),
      onDisconnect: "stop",
    },
  };
}
