/** The caller's request or file is at fault: the only failure whose message leaves the render process. */
export class RenderRefusal extends Error {
  override name = "RenderRefusal";
  constructor(
    /** Always our own text, never a library's; at most 300 characters. */
    readonly publicMessage: string,
  ) {
    super(publicMessage);
  }
}
