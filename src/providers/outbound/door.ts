/** Where an address is knocked at. */
export function doorOf(url: URL): { readonly hostname: string; readonly port: number } {
  const defaultPort = url.protocol === "https:" ? 443 : 80;
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? defaultPort : Number(url.port),
  };
}
