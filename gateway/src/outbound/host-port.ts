/** The host and port to connect to; an IPv6 address without its brackets. */
export function hostPortOf(url: URL): { readonly hostname: string; readonly port: number } {
  const defaultPort = url.protocol === "https:" ? 443 : 80;
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? defaultPort : Number(url.port),
  };
}
