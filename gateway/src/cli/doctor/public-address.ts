import type { Config } from "../../config/index.ts";
import { type Check, fine, warning } from "./check.ts";

type Address = Pick<Config, "environment" | "publicUrl" | "publicUrlGiven" | "trustedProxies">;

/** The address given out to others; empty on a developer's machine, which has none. */
export function checkPublicAddress(address: Address): Check[] {
  const { environment, publicUrl, publicUrlGiven } = address;
  if (environment !== "production") return [];
  if (publicUrl.startsWith("https://")) return [fine("public address", publicUrl), ...checkProxy(address)];
  const finding = publicUrlGiven
    ? `${publicUrl}: keys and links travel in the clear`
    : `BURSAR_PUBLIC_URL is not set: links and files are handed out as ${publicUrl}`;
  const fix = "Set BURSAR_PUBLIC_URL to the public https address.";
  return [warning("public address", finding, fix)];
}

/** The gateway does not speak TLS, so an https address needs a proxy in front that does. */
function checkProxy({ trustedProxies }: Address): Check[] {
  if (trustedProxies.length > 0) return [];
  return [
    warning(
      "proxy",
      "TRUSTED_PROXIES is not set: every caller seems to have the address of the TLS proxy in front",
      "Set TRUSTED_PROXIES to its addresses, and let it send X-Forwarded-For.",
    ),
  ];
}
