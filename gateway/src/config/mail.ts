import type { EnvReader } from "./env.ts";

/** Email over SMTP. */
export type MailConfig = { readonly url: string; readonly from: string };

const ADDRESS = /^[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,190}$/;
const NAMED = /^[^<>"\p{Cc}]{0,100}<([^<>]+)>$/u;

/** Null unless both are set; one alone is a wrong setting. */
export function readMail(reader: EnvReader): MailConfig | null {
  const url = readSmtpUrl(reader);
  const from = readFrom(reader);
  reader.together("SMTP_URL", "MAIL_FROM");
  return url === null || from === null ? null : { url, from };
}

/** Never shown: it contains a password. */
function readSmtpUrl(reader: EnvReader): string | null {
  const given = reader.text("SMTP_URL");
  if (given === null) return null;
  const url = /\s/.test(given) ? null : URL.parse(given);
  const isRight = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && !url.hash;
  if (isRight) return given;
  reader.wrong("SMTP_URL", "must be an address such as smtps://user:password@mail.example.com:465");
  return null;
}

function readFrom(reader: EnvReader): string | null {
  const given = reader.text("MAIL_FROM");
  if (given === null) return null;
  if (ADDRESS.test(NAMED.exec(given)?.[1] ?? given)) return given;
  reader.wrong("MAIL_FROM", "must be an address such as Bursar <bursar@example.com>", given);
  return null;
}
