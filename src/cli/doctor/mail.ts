import { connect } from "node:net";
import type { Config } from "../../config.ts";
import { type Check, fine, reasonOf, warning } from "./check.ts";

const ANSWER_TIMEOUT_MS = 3_000;
/** What is spoken to where the address names no port. */
const TLS_PORT = 465;
const PLAIN_PORT = 587;

/** Who can be written to. A connection only: nobody signs in, and no letter is sent. */
export async function checkMail({ mail }: Pick<Config, "mail">): Promise<Check> {
  if (mail === null) return fine("mail", "none is sent: links and notices are shown in the console only");
  const { protocol, hostname, port } = new URL(mail.url);
  const isTls = protocol === "smtps:";
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isTls ? TLS_PORT : PLAIN_PORT),
  };
  const problem = await tryToConnect(place);
  if (problem === null) return fine("mail", `through ${hostname}${isTls ? " (TLS)" : ""}, from ${mail.from}`);
  return warning(
    "mail",
    `nobody answers at ${hostname}:${place.port} (${reasonOf(problem)})`,
    "Check host and port of SMTP_URL, and that this machine is let through.",
  );
}

function tryToConnect(place: { readonly host: string; readonly port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const finish = (problem: Error | null) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(problem);
    };
    // The socket's own limit begins only when the name was found.
    const limit = setTimeout(() => finish(new Error("no answer in time")), ANSWER_TIMEOUT_MS);
    socket.once("connect", () => finish(null));
    socket.on("error", finish);
  });
}
