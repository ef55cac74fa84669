import type { Config } from "../../config/index.ts";
import { type Check, fine, reasonOf, warning } from "./check.ts";
import { tryToConnect } from "./try-to-connect.ts";

/** Default ports, if the URL names none. */
const TLS_PORT = 465;
const PLAIN_PORT = 587;

/** Only connects to the mail server: does not sign in, and sends no email. */
export async function checkMail({ mail }: Pick<Config, "mail">): Promise<Check> {
  if (mail === null) return fine("mail", "none is sent: links and notices are shown in the console only");
  const { protocol, hostname, port } = new URL(mail.url);
  const isTls = protocol === "smtps:";
  const place = { hostname, port: Number(port) || (isTls ? TLS_PORT : PLAIN_PORT) };
  const problem = await tryToConnect(place);
  if (problem === null) return fine("mail", `through ${hostname}${isTls ? " (TLS)" : ""}, from ${mail.from}`);
  return warning(
    "mail",
    `nothing answers at ${hostname}:${place.port} (${reasonOf(problem)})`,
    "Check host and port of SMTP_URL, and that no firewall blocks them.",
  );
}
