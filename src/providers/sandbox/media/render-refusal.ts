/** The caller's own request or file is at fault: the only failure whose words leave the render process. */
export class RenderRefusal extends Error {
  override name = "RenderRefusal";
  constructor(
    /** Ours alone, never a library's words; at most 300 characters. */
    readonly publicMessage: string,
  ) {
    super(publicMessage);
  }
}
