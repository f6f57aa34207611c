/** A text that the buyer is given, divided by its headings. */
export interface TermsDocument {
  readonly title: string;
  readonly sections: readonly TermsSection[];
}

export interface TermsSection {
  /** Empty: none. */
  readonly heading: string;
  /** Each can have several lines. */
  readonly paragraphs: readonly string[];
}

/** The texts of an order, as they were when it was placed. */
export interface TermsContent {
  /** Empty: not set. */
  readonly seller: string;
  readonly documents: readonly TermsDocument[];
}

/** Who sells. An empty text is not set. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly email: string;
  readonly phone: string;
}
