/** Reads `Accept-Encoding`: a weight of 0 (`q=0`) means that the client refuses the encoding. */
export function acceptsEncoding(header: string | null, encoding: "br" | "gzip"): boolean {
  return (header ?? "").split(",").some((one) => {
    const [name, ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
