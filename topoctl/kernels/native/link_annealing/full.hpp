// The distances of a changed network from scratch: bit-parallel levels over all sources, block after block.
#pragma once

#include <memory>

#include "evaluator.hpp"

namespace topoctl::link_annealing {

std::unique_ptr<Evaluator> full_evaluator(const Network& network);

}  // namespace topoctl::link_annealing
