/** Whether the client wants it, by its `Accept-Encoding`: with a weight of 0 it names what it does not want. */
export function acceptsEncoding(header: string | null, encoding: "br" | "gzip"): boolean {
  return (header ?? "").split(",").some((one) => {
    const [name, ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
