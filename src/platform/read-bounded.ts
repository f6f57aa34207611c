/**
 * Reads the body of a response, decompressed.
 * @throws RangeError if it is longer; the rest is not read
 */
export async function readBounded(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    // An error in this loop cancels the stream and closes the connection.
    if (length > maxBytes) throw new RangeError(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
