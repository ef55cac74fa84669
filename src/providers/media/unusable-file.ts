import { ProviderFailure } from "../contract.ts";

/** What a provider has made is there, and is none that we can use: fetched again, it would be the same. */
export class UnusableFile extends ProviderFailure {
  constructor(publicMessage: string, internal: string) {
    super("unavailable", publicMessage, { internal, targetHealth: "up" });
  }
}
