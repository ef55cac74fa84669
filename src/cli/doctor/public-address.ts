import type { Config } from "../../config/index.ts";
import { type Check, fine, warning } from "./check.ts";

type Address = Pick<Config, "environment" | "publicUrl" | "publicUrlGiven" | "trustedProxies">;

/** What the world is told to come to; on a developer's machine there is no world. */
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

/** The gateway speaks no TLS, so before an https address stands something that does. */
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
