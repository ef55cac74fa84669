export type Email = { readonly to: string; readonly subject: string; readonly text: string };

export type MailSettings = {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  readonly url: string;
  /** `Bursar <bursar@example.com>`. */
  readonly from: string;
};
