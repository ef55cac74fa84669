/** Served like code, and the smallest file there is. */
const PROBE = "/console/icon.svg";
const SHELL = "/console";

/** Whether code could be fetched now. */
export async function gatewayAnswers(): Promise<boolean> {
  return (await fetched(PROBE))?.ok === true;
}

/** Whether the gateway has other code than this tab: its page starts with another script, or the file is gone. */
export async function isUpdated(cause: unknown): Promise<boolean> {
  // Most browsers name the file in their message, the others name none.
  const [file] = /https?:\/\/\S+\.js/.exec(String(cause)) ?? [];
  const [page, code] = await Promise.all([fetched(SHELL), file === undefined ? null : fetched(file)]);
  if (code?.status === 404) return true;
  const script = document.querySelector('script[type="module"]')?.getAttribute("src");
  return page?.ok === true && !!script && !(await page.text()).includes(script);
}

/** Null if there is no answer. */
function fetched(address: string): Promise<Response | null> {
  return fetch(address, { cache: "no-store", credentials: "same-origin" }).catch(() => null);
}
