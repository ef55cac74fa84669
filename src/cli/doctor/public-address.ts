import type { Config } from "../../config.ts";
import { type Check, fine, warning } from "./check.ts";

type Address = Pick<Config, "environment" | "publicUrl" | "publicUrlGiven">;

/** What the world is told to come to; on a developer's machine there is no world. */
export function checkPublicAddress({ environment, publicUrl, publicUrlGiven }: Address): Check[] {
  if (environment !== "production") return [];
  if (publicUrl.startsWith("https://")) return [fine("public address", publicUrl)];
  const found = publicUrlGiven
    ? `${publicUrl}: keys and links travel in the clear`
    : `BURSAR_PUBLIC_URL is not set: links and files are handed out as ${publicUrl}`;
  const mend = "Set BURSAR_PUBLIC_URL to the https address that the world sees.";
  return [warning("public address", found, mend)];
}
