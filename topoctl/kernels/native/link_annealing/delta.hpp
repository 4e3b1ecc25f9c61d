// The distances of a changed network from those before: only what changes is repaired, and logged for undo.
#pragma once

#include <memory>

#include "evaluator.hpp"

namespace topoctl::link_annealing {

std::unique_ptr<Evaluator> delta_evaluator();

}  // namespace topoctl::link_annealing
