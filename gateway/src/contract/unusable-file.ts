import { ProviderFailure } from "./provider-failure.ts";

/** A provider's file is there but unusable: fetching it again would give the same. */
export class UnusableFile extends ProviderFailure {
  constructor(publicMessage: string, internal: string) {
    super("unavailable", publicMessage, { internal, targetHealth: "up", reason: "provider_bad_reply" });
  }
}
