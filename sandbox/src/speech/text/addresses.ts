/** Longer paths are cut: nobody follows a tracking link by ear. */
const MAX_SPOKEN_PATH_CHARACTERS = 40;

/** Web and email addresses, handles and tags, as one would read them over the telephone. */
export function sayAddresses(text: string): string {
  return text
    .replace(/\b(?:https?|ftp):\/\/[^\s<>"'`]{1,2000}/gi, sayWebAddress)
    .replace(/\bwww\.[^\s<>"'`]{1,2000}/gi, sayWebAddress)
    .replace(/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b/g, (mail) =>
      spoken(mail.replace("@", " at ")),
    )
    .replace(/(^|[\s(])@(\w{1,40})/g, "$1at $2")
    .replace(/(^|[\s(])#(\d{1,9})\b/g, "$1number $2")
    .replace(/(^|[\s(])#(\p{L}[\p{L}\d_]{0,60})/gu, "$1hashtag $2")
    .replace(/\b([a-z][a-z-]{1,40})\.(com|org|net|io|dev|ai|co|app|edu|gov|eu|de|uk)\b(?!\.)/gi, "$1 dot $2");
}

function sayWebAddress(address: string): string {
  const trailing = /[.,;:!?)\]]{1,5}$/.exec(address)?.[0] ?? "";
  const bare = address
    .slice(0, address.length - trailing.length)
    .replace(/^[a-z]{3,5}:\/\//i, "")
    .replace(/^www\./i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/$/, "");
  const slash = bare.indexOf("/");
  const host = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? "" : bare.slice(slash);
  const said = path.length > MAX_SPOKEN_PATH_CHARACTERS ? `${spoken(host)} and so on` : spoken(host + path);
  return `${said}${trailing}`;
}

function spoken(address: string): string {
  return address
    .replace(/\./g, " dot ")
    .replace(/\//g, " slash ")
    .replace(/:/g, " colon ")
    .replace(/_/g, " underscore ")
    .replace(/-/g, " dash ")
    .replace(/\+/g, " plus ")
    .replace(/%[0-9a-f]{2}/gi, " ")
    .replace(/[=&~*]/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}
