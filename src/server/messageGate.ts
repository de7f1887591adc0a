import {
  ErrorCodes,
  LSPErrorCodes,
  Message,
  type ContentTypeDecoder,
  type MessageStrategy,
  type MessageWriter,
  type RequestMessage,
} from 'vscode-languageserver/node';
import {
  anything,
  attempt,
  integer,
  jsonObject,
  list,
  optional,
  record,
  text,
  Undecodable,
  type Decoder,
} from '../base/decode/decoder.ts';
import { isJsonObject, parseJson } from '../base/json/json.ts';

/** Maximum of the protocol's `uinteger`. */
const maxUinteger = 2 ** 31 - 1;

const position = record({ line: integer(0, maxUinteger), character: integer(0, maxUinteger) });

/** Decodes a range of the protocol. */
export const protocolRange = record({ start: position, end: position });

const textDocument = record({ uri: text });
const version = integer(-maxUinteger, maxUinteger);
const folder = record({ uri: text });

/** Parameters of the messages that the server handles, so that no handler sees values of wrong types. */
const parameters: ReadonlyMap<string, Decoder<unknown>> = new Map<string, Decoder<unknown>>([
  ['initialize', record({ capabilities: jsonObject })],
  ['textDocument/didOpen', record({ textDocument: record({ uri: text, version, text }) })],
  [
    'textDocument/didChange',
    record({
      textDocument: record({ uri: text, version }),
      contentChanges: list(record({ range: optional(protocolRange), text })),
    }),
  ],
  ['textDocument/didSave', record({ textDocument })],
  ['textDocument/didClose', record({ textDocument })],
  ['textDocument/hover', record({ textDocument, position })],
  ['textDocument/completion', record({ textDocument, position })],
  ['textDocument/codeLens', record({ textDocument })],
  ['textDocument/diagnostic', record({ textDocument })],
  [
    'textDocument/codeAction',
    record({
      textDocument,
      range: protocolRange,
      context: record({ diagnostics: list(record({ range: protocolRange })), only: optional(list(text)) }),
    }),
  ],
  ['codeAction/resolve', record({ title: text })],
  ['workspace/executeCommand', record({ command: text, arguments: optional(list(anything)) })],
  ['workspace/didChangeConfiguration', jsonObject],
  ['workspace/didChangeWatchedFiles', jsonObject],
  ['workspace/didChangeWorkspaceFolders', record({ event: record({ added: list(folder), removed: list(folder) }) })],
  ['$/setTrace', record({ value: text })],
]);

/** Rejects messages that are invalid, or not allowed in the current state of the server, in front of all handlers. */
export class MessageGate implements MessageStrategy {
  /** Set by the handlers of `initialize` and `shutdown`. */
  state: 'new' | 'ready' | 'shutDown' = 'new';
  readonly #writer: MessageWriter;
  readonly #onDropped: (reason: string) => void;

  /** @param onDropped called with the reason, in English, if a notification is dropped */
  constructor(writer: MessageWriter, onDropped: (reason: string) => void) {
    this.#writer = writer;
    this.#onDropped = onDropped;
  }

  /** Decodes the content of messages. Answers content that is no message, which the library would ignore. */
  readonly decoder: ContentTypeDecoder = {
    name: 'application/json',
    decode: async (buffer) => {
      const content = parseJson(Buffer.from(buffer).toString('utf8'));
      if (isMessage(content)) return content;
      const error =
        content === undefined
          ? { code: ErrorCodes.ParseError, message: 'The content is not JSON.' }
          : {
              code: ErrorCodes.InvalidRequest,
              message: 'The content is neither a request, a notification nor a response.',
            };
      await this.#reply(null, error);
      throw new Undecodable(error.message);
    },
  };

  handleMessage(message: Message, next: (message: Message) => void | Promise<void>): void | Promise<void> {
    if (Message.isRequest(message)) {
      const error = this.#lifecycleError(message.method) ?? parameterError(message);
      return error ? this.#reply(message.id, error) : next(withReachableEditor(message));
    }
    if (Message.isNotification(message) && message.method !== 'exit' && message.method !== '$/cancelRequest') {
      const error = this.#lifecycleError(message.method) ?? parameterError(message);
      if (error) return this.#onDropped(`${message.method}: ${error.message}`);
    }
    return next(message);
  }

  #lifecycleError(method: string): ProtocolError | undefined {
    if (this.state === 'shutDown') {
      return { code: ErrorCodes.InvalidRequest, message: 'The server was shut down.' };
    }
    if (this.state === 'new' && method !== 'initialize') {
      return { code: ErrorCodes.ServerNotInitialized, message: 'The server is not initialized.' };
    }
    if (this.state === 'ready' && method === 'initialize') {
      return { code: ErrorCodes.InvalidRequest, message: 'The server is already initialized.' };
    }
    return undefined;
  }

  async #reply(id: string | number | null, error: ProtocolError): Promise<void> {
    const response = { jsonrpc: '2.0', id, error };
    // The client has closed the connection if this fails.
    await this.#writer.write(response).catch(() => undefined);
  }
}

/** Answers requests that are cancelled while they wait. */
export function cancelWaiting(message: Message) {
  if (!Message.isRequest(message)) return undefined;
  const error = { code: LSPErrorCodes.RequestCancelled, message: 'The request was cancelled.' };
  return { jsonrpc: '2.0', id: message.id, error };
}

interface ProtocolError {
  readonly code: number;
  readonly message: string;
}

function parameterError({
  method,
  params,
}: {
  readonly method: string;
  readonly params?: unknown;
}): ProtocolError | undefined {
  const decode = parameters.get(method);
  const problem = decode && attempt(decode, params);
  return problem instanceof Undecodable ? { code: ErrorCodes.InvalidParams, message: problem.message } : undefined;
}

function isMessage(content: unknown): content is Message {
  return (
    hasVersion(content) && [Message.isRequest, Message.isNotification, Message.isResponse].some((is) => is(content))
  );
}

function hasVersion(content: unknown): content is Message {
  return isJsonObject(content) && typeof content['jsonrpc'] === 'string';
}

/**
 * Removes an invalid process id of the editor, and one of another user's process. The library, which ends the server when it cannot
 * reach the process, would do so although the editor runs.
 */
function withReachableEditor(message: RequestMessage): RequestMessage {
  const { method, params } = message;
  if (method !== 'initialize' || !isJsonObject(params) || isReachable(params['processId'])) return message;
  return { ...message, params: { ...params, processId: null } };
}

function isReachable(processId: unknown): boolean {
  if (!Number.isInteger(processId) || !(Number(processId) > 0)) return false;
  try {
    return process.kill(Number(processId), 0);
  } catch (error) {
    // A process that does not run was the editor.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
