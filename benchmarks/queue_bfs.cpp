// The search that the Equality kernel is compared with: a queue over the hops of an Equality network.
//
// As a good programmer writes it for one source: distances in 8 bits, so that they stay in the cache; neighbours
// computed from the hops, so that there is no table to build or to read; a comparison instead of a modulo; each
// router enters the queue once; and the search may stop as soon as every router has been found.
#include <cstdint>
#include <cstring>

// Distances from router 0, of `networks` networks in turn.
//
// `forward` and `backward` hold `degree` steps in 1..order-1 a network, of its even and of its odd routers.
// `distances` and `queue` have room for `order` entries. Returns the sum of all distances; every network must be
// connected and have a diameter below 255.
extern "C" std::int64_t queue_bfs(std::int32_t networks, std::int32_t order, const std::int32_t* forward,
                                  const std::int32_t* backward, std::int32_t degree, bool stop_when_found,
                                  std::uint8_t* distances, std::int32_t* queue) {
    constexpr std::uint8_t kUnseen = 255;
    std::int64_t total = 0;
    for (; networks--; forward += degree, backward += degree) {
        std::memset(distances, kUnseen, static_cast<std::size_t>(order));
        distances[0] = 0;
        queue[0] = 0;
        std::int32_t found = 1;
        for (std::int32_t next = 0; next < found && !(stop_when_found && found == order); ++next) {
            const std::int32_t router = queue[next];
            const std::int32_t* steps = router % 2 ? backward : forward;
            const std::uint8_t distance = static_cast<std::uint8_t>(distances[router] + 1);
            for (std::int32_t step = 0; step < degree; ++step) {
                std::int32_t neighbor = router + steps[step];
                if (neighbor >= order) neighbor -= order;
                if (distances[neighbor] != kUnseen) continue;
                distances[neighbor] = distance;
                queue[found++] = neighbor;
            }
        }
        for (std::int32_t router = 0; router < order; ++router) total += distances[router];
    }
    return total;
}
