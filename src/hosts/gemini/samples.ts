import type { Payload } from "../../protocol/host/host.ts";
import AfterAgent from "./fixtures/gemini-cli-0.61.0/AfterAgent.json" with { type: "json" };
import AfterModel from "./fixtures/gemini-cli-0.61.0/AfterModel.json" with { type: "json" };
import AfterTool from "./fixtures/gemini-cli-0.61.0/AfterTool-run_shell_command.json" with { type: "json" };
import BeforeAgent from "./fixtures/gemini-cli-0.61.0/BeforeAgent.json" with { type: "json" };
import BeforeModel from "./fixtures/gemini-cli-0.61.0/BeforeModel.json" with { type: "json" };
import BeforeTool from "./fixtures/gemini-cli-0.61.0/BeforeTool-run_shell_command.json" with { type: "json" };
import BeforeToolSelection from "./fixtures/gemini-cli-0.61.0/BeforeToolSelection.json" with { type: "json" };
import Notification from "./fixtures/gemini-cli-0.61.0/Notification.json" with { type: "json" };
import PreCompress from "./fixtures/gemini-cli-0.61.0/PreCompress.json" with { type: "json" };
import SessionEnd from "./fixtures/gemini-cli-0.61.0/SessionEnd.json" with { type: "json" };
import SessionStart from "./fixtures/gemini-cli-0.61.0/SessionStart.json" with { type: "json" };

export const RECORDED: Readonly<Record<string, Payload>> = {
  AfterAgent,
  AfterModel,
  AfterTool,
  BeforeAgent,
  BeforeModel,
  BeforeTool,
  BeforeToolSelection,
  Notification,
  PreCompress,
  SessionEnd,
  SessionStart,
};
