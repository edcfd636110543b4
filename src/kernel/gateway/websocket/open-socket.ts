import WebSocket from "ws";
import { authorization, type GatewayAddress, webSocketUrlOn } from "../rest/gateway-address.ts";
import { agentFor, secureOptions } from "../rest/rest.ts";
import { legacyCodec, v1Codec, v1Protocol, type WebSocketCodec } from "./websocket-codec.ts";

export interface KernelSocketOptions {
  readonly address: GatewayAddress;
  readonly kernelId: string;
  /** Stays the same over all connections: the server keeps messages only for the previous session. */
  readonly session: string;
}

/** An open connection to the channels of a kernel, and its message format. */
export interface KernelSocket {
  readonly socket: WebSocket;
  /** Bytes received, also of an incomplete message. */
  bytesRead(): number;
  readonly codec: WebSocketCodec;
}

const largestMessage = 512 * 1024 * 1024;

/** Connects, with the newer framing where the server knows it. Rejects with the system's error, or the signal's reason. */
export async function openSocket(options: KernelSocketOptions, signal?: AbortSignal): Promise<KernelSocket> {
  const connected = await connect(options, [v1Protocol], signal).catch((error) => {
    // A server from before v1 does not answer the offer, which the library takes for an error.
    if (/subprotocol/i.test(String(error))) return connect(options, [], signal);
    throw error;
  });
  return { ...connected, codec: connected.socket.protocol === v1Protocol ? v1Codec : legacyCodec };
}

function connect(
  { address, kernelId, session }: KernelSocketOptions,
  protocols: string[],
  signal?: AbortSignal,
): Promise<Omit<KernelSocket, "codec">> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const url = webSocketUrlOn(address, `api/kernels/${kernelId}/channels`, { session_id: session });
    const socket = new WebSocket(url, protocols, {
      headers: authorization(address),
      agent: agentFor(address),
      ...secureOptions(address),
      perMessageDeflate: false,
      maxPayload: largestMessage,
    });
    socket.binaryType = "nodebuffer";
    let bytesRead = (): number => 0;
    socket.on("upgrade", (response) => {
      // Bun has no socket here, so a large message that is still arriving gets no extra time.
      bytesRead = () => (response.socket as typeof response.socket | null)?.bytesRead ?? 0;
    });
    const giveUp = (): void => {
      socket.terminate();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    socket.on("open", () => {
      signal?.removeEventListener("abort", giveUp);
      // The first message may already be here, before the listener.
      socket.pause();
      resolve({ socket, bytesRead });
    });
    socket.on("error", reject); // before `open`; after it, `close` follows with the reason
    socket.on("close", () => reject(new Error("the connection was closed at once")));
  });
}
