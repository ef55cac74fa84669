/** Served like code, and the smallest file there is. */
const PROBE = "/console/icon.svg";
const SHELL = "/console";

/** Whether code could be fetched now. */
export async function gatewayAnswers(): Promise<boolean> {
  return (await fetched(PROBE))?.ok === true;
}

/** Whether the gateway has other code than this tab: its page begins with another script, or it knows the file no more. */
export async function isUpdated(cause: unknown): Promise<boolean> {
  // Most browsers name the file in their message, the others name none.
  const [file] = /https?:\/\/\S+\.js/.exec(String(cause)) ?? [];
  const [page, code] = await Promise.all([fetched(SHELL), file === undefined ? null : fetched(file)]);
  if (code?.status === 404) return true;
  const script = document.querySelector('script[type="module"]')?.getAttribute("src");
  return page?.ok === true && !!script && !(await page.text()).includes(script);
}

/** Null where nobody answers. */
function fetched(address: string): Promise<Response | null> {
  return fetch(address, { cache: "no-store", credentials: "same-origin" }).catch(() => null);
}
