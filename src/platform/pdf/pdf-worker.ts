/** Worker thread that renders PDFs, one at a time. */
import { parentPort } from 'node:worker_threads';
import { loadPdfFonts } from './pdf-fonts.ts';
import type { PdfDocument } from './pdf-document.ts';
import { renderPdf } from './render-pdf.ts';

const fonts = loadPdfFonts();

const port = parentPort;

port?.on('message', (document: PdfDocument) => {
  renderPdf(document, fonts).then(
    (bytes) => port.postMessage({ bytes: new Uint8Array(bytes), error: null }, []),
    (error: unknown) =>
      port.postMessage({ bytes: null, error: error instanceof Error ? error.message : String(error) }, []),
  );
});
